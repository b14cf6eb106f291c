import type { IOutputAreaModel } from '@jupyterlab/outputarea';

const WIDGET_VIEW = 'application/vnd.jupyter.widget-view+json';

/** A widget's text in a notebook begins with the name of its class. */
const EXPLORER = /^\w*Explorer[(:]/;

/** The ids of the explorers that outputs show. */
export function explorerModels(outputs: IOutputAreaModel): string[] {
  return Array.from({ length: outputs.length }, (_, at) => outputs.get(at).data)
    .filter(data => EXPLORER.test(text(data['text/plain'])))
    .map(data => data[WIDGET_VIEW] as { model_id?: string } | undefined)
    .map(view => view?.model_id)
    .filter((id): id is string => Boolean(id));
}

function text(value: unknown): string {
  const parts: unknown = Array.isArray(value) ? value.join('') : value;
  return typeof parts === 'string' ? parts : '';
}

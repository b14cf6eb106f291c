// A saved explorer: its picture is there at once, and becomes the explorer when Python has started.

import { anywidget, assets } from './assets';
import { tellHeight } from './height';
import { Kernel } from './kernel';
import { LiveManager } from './manager';
import { themeButton } from './theme';

interface IConfig {
  module: string;
  request: Record<string, unknown>;
  /** Scripts to load; none in a page that holds everything. */
  scripts: string[];
  words: Record<
    'loading' | 'unpacking' | 'python' | 'opening' | 'ready' | 'failed' | 'old',
    string
  >;
}

const find = <T extends HTMLElement>(id: string): T =>
  document.getElementById(`dlperf-${id}`) as T;

async function run(): Promise<void> {
  const config = JSON.parse(find('config').textContent) as IConfig;
  const say = (words: string): void => {
    find('status').textContent = words;
  };
  themeButton(find('theme'));
  tellHeight(find('page'));
  await seen(find('still'));
  performance.mark('dlperf-drawn');
  say(config.words.loading);
  try {
    if (!('WebAssembly' in window && 'DecompressionStream' in window)) {
      throw new Error(config.words.old);
    }
    await becomeLive(config, step => say(config.words[step]));
    performance.mark('dlperf-live');
    say(config.words.ready);
    document.documentElement.dataset.live = 'yes';
  } catch (error) {
    console.error(error);
    const reason = error instanceof Error ? error.message : String(error);
    say(config.words.failed.replace('{reason}', reason));
    document.documentElement.dataset.live = 'no';
  }
}

async function becomeLive(
  config: IConfig,
  onStep: (step: 'unpacking' | 'python' | 'opening') => void
): Promise<void> {
  const has = await assets(config.scripts);
  const kernel = new Kernel(has.worker, step => {
    performance.mark(`dlperf-${step}`);
    onStep(step);
  });
  try {
    const manager = new LiveManager(kernel, anywidget(has.anywidget));
    const model = await kernel.start({
      pyodide: has.pyodide,
      sources: has.sources,
      module: config.module,
      request: JSON.stringify(config.request)
    });
    performance.mark('dlperf-ready');
    await manager.show(model, find('explorer'));
  } catch (error) {
    kernel.stop();
    throw error;
  }
  await painted();
  find('still').remove();
  find('explorer').classList.remove('dlperf-waiting');
}

/** Starting Python takes seconds of work: what nobody has scrolled to yet does not start it. */
function seen(element: HTMLElement): Promise<void> {
  return new Promise(resolve => {
    const observer = new IntersectionObserver(entries => {
      if (entries.some(each => each.isIntersecting)) {
        observer.disconnect();
        setTimeout(resolve);
      }
    });
    observer.observe(element);
  });
}

/** Views fill in over a few frames. */
function painted(): Promise<void> {
  const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
  return frame()
    .then(frame)
    .then(frame)
    .then(() => undefined);
}

void run();

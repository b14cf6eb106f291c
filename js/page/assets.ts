// What pages in one folder share, or what stands in a page of its own: scripts that leave something here.

import * as base from '@jupyter-widgets/base';

import type { PyodideFiles } from './messages';

type Module = Record<string, unknown>;
type Define = (needs: string[], make: (...needed: unknown[]) => Module) => void;

interface IAssets {
  pyodide?: PyodideFiles;
  sources?: string;
  worker?: string;
  anywidget?: (define: Define) => void;
}

declare global {
  var dlperfAssets: IAssets | undefined;
}

/** Load scripts that are not in the page already, and return what all have left. */
export async function assets(addresses: string[]): Promise<Required<IAssets>> {
  await Promise.all(addresses.map(load));
  const found = globalThis.dlperfAssets ?? {};
  for (const name of ['pyodide', 'sources', 'worker', 'anywidget'] as const) {
    if (!found[name]) {
      throw new Error(`${name} is missing`);
    }
  }
  return found as Required<IAssets>;
}

/** anywidget's front end says what it needs and gives, as modules did before browsers had any. */
export function anywidget(script: (define: Define) => void): Module {
  let module: Module = {};
  script((_needs, make) => {
    module = make(base);
  });
  return module;
}

function load(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${address} cannot be loaded`));
    document.head.append(script);
  });
}

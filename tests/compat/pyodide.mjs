// Runs pytest in Pyodide's Python: node pyodide.mjs ENVIRONMENT ROOT ARGUMENT...
// ENVIRONMENT has node_modules/pyodide and, in site/, pytest and the package; ROOT has the tests.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [environment, root, ...options] = process.argv.slice(2);
const folder = resolve(environment, 'node_modules/pyodide');
const address = pathToFileURL(resolve(folder, 'pyodide.mjs')).href;
const { loadPyodide } = await import(address);
const pyodide = await loadPyodide({ indexURL: folder });
pyodide.mountNodeFS('/site', resolve(environment, 'site'));
pyodide.mountNodeFS('/checkout', resolve(root));
pyodide.globals.set('options', pyodide.toPy(options));
try {
  process.exitCode = pyodide.runPython(`
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "/site")
os.chdir("/checkout")
import dlperf_widgets, pytest
assert dlperf_widgets.__file__.startswith("/site/"), dlperf_widgets.__file__
print("Python", sys.version.split()[0], "on", sys.platform)
int(pytest.main(list(options)))
`);
} catch (error) {
  console.error(error.message); // Its stack is all of Pyodide, on one line.
  process.exitCode = 1;
}

// A script of the Python package, shared with the widgets that need no building.
declare module '*/listening.js' {
  export function listening(asked: { model: unknown }): void;
}

/** Loads built-in Node modules that few commands need. Unlike `import()`, this works in a single executable. */
export const builtin = process.getBuiltinModule;

/** Loads Node modules that few commands need. `import()` does not work in a single executable. */
export const builtin = process.getBuiltinModule;

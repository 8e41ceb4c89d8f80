/** Loads Node modules that few commands need. An executable cannot import at run time. */
export const builtin = process.getBuiltinModule;

/** Node's own modules that few starts need, loaded at first use: an executable cannot import while it runs. */
export const builtin = process.getBuiltinModule;

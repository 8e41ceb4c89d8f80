/** Reads the variables that are switches. */

/** Whether a switch is on: if its value is not empty, 0, false, no or off. */
export const isOn = (value: string | undefined): boolean => !/^(0|false|no|off)?$/i.test(value?.trim() ?? '');

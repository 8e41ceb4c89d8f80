/** The shells that a printed command may be pasted into, with what people switch on in them. */
export const pastingShells = [
  { name: 'sh', argv: ['dash'] },
  { name: 'bash', argv: ['bash', '--norc', '-O', 'extglob', '-O', 'globstar', '-o', 'history', '-o', 'histexpand'] },
  { name: 'zsh', argv: ['zsh', '-f', '-o', 'extendedglob', '-o', 'magicequalsubst'] },
  { name: 'fish', argv: ['fish', '--no-config'] },
] as const;

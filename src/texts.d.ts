/** Declares the files that are imported as strings: the fixed parts of completion scripts, and the sample files. */
declare module '*.bash' {
  const text: string;
  export default text;
}
declare module '*.zsh' {
  export { default } from '*.bash';
}
declare module '*.fish' {
  export { default } from '*.bash';
}
declare module '*.ps1' {
  export { default } from '*.bash';
}
declare module '*.yaml' {
  export { default } from '*.bash';
}
declare module '*.yml' {
  export { default } from '*.bash';
}
declare module '*.ndjson' {
  export { default } from '*.bash';
}
declare module '*.html' {
  export { default } from '*.bash';
}

/** Declares the files that are imported as strings: the fixed parts of completion scripts, and the sample files. */
declare module '*.bash' {
  const text: string;
  export default text;
}
declare module '*.zsh' {
  const text: string;
  export default text;
}
declare module '*.fish' {
  const text: string;
  export default text;
}
declare module '*.ps1' {
  const text: string;
  export default text;
}
declare module '*.yaml' {
  const text: string;
  export default text;
}
declare module '*.yml' {
  const text: string;
  export default text;
}
declare module '*.ndjson' {
  const text: string;
  export default text;
}
declare module '*.html' {
  const text: string;
  export default text;
}

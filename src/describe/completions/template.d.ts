/** What stands still in the scripts is kept as scripts; they are imported as texts. */
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

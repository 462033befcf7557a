/** The parts of the English texts: see `.ci/pages.mjs`. */
declare module '*.json?first' {
  const texts: import('../model/text.js').Texts
  export default texts
}
declare module '*.json?later' {
  const texts: import('../model/text.js').Texts
  export default texts
}

/** The text of a module without comments. A `//` inside of an address in a text is none. */
const bare = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/[^\n]*/g, '$1')

/** Ways to the factories, without white space: through an earlier import, or in the same expression. */
const strapi = `(?:=require\\(|from)['"]@strapi/strapi['"]\\)?(?:\\.factories)?;?`
const imports = `(?:(?:const|let|var|import)[^;=]*${strapi})*`
const factory = `(?:require\\(['"]@strapi/strapi['"]\\)\\.factories\\.|(?:\\w+\\.){0,2})createCore(?:Controller|Router|Service)`
const nothing = '(?:,(?:\\{\\}|\\((?:\\{\\w*\\})?\\)=>\\(\\{\\}\\)))?'
const factoryMade = new RegExp(
  `^(?:['"]usestrict['"];?)?${imports}(?:module\\.exports=|exportdefault)${factory}\\(['"\`][^'"\`]+['"\`](?:as\\w+)?${nothing},?\\);?$`,
)

/** True if a file contains only what Strapi's generator writes: the standard parts of a type. */
export const isFactoryMade = (text: string): boolean => factoryMade.test(bare(text).replace(/\s+/g, ''))

const emptyFunction =
  /(?:async\s*)?(?:\w+\s*)?(?::\s*(?:async\s*)?(?:function\s*)?)?\([^()]*(?:\{[^{}]*\}[^()]*)?\)\s*(?:=>\s*)?\{\s*\}/g

/** True if a module has anything to do: a function with a body, or code beside the functions. */
export const hasWork = (text: string): boolean => {
  const left = bare(text)
    .replace(emptyFunction, '')
    .replace(/['"]use strict['"]/, '')
    .replace(/\bimport\b[^;\n]*from[^;\n]*/g, '')
    .replace(/module\.exports\s*=|export\s+default|\b(?:register|bootstrap|destroy)\b|[\s{}();,=]/g, '')
  return left !== ''
}

import type { ContentType } from '../../core/index.js'

/** The names that a type has in the file: `Article` with `ArticleInput`, `ArticleLinks` and `ArticleType`. */
export type Names = (uid: string) => string

const suffixes = ['', 'Input', 'Links', 'Type']

/** Names that the file declares itself, and names of the language. */
const taken = [
  'Schema',
  'Id',
  'Linked',
  'Change',
  'ToOne',
  'ToMany',
  'ToAny',
  'Part',
  'ZonePart',
  'Partial',
  'Record',
  'FormData',
]

/** Names for types, of which none is another's: a clash takes the whole uid, and then a number. */
export function namesFor(types: readonly ContentType[]): Names {
  const used = new Set(taken)
  const names = new Map<string, string>()
  for (const type of types) {
    const wanted = [shortName(type), pascal(type.uid)]
    let name = wanted.find(one => isFree(one, used))
    for (let number = 2; name === undefined; number += 1) {
      const numbered = `${wanted[1]}${number}`
      if (isFree(numbered, used)) name = numbered
    }
    for (const suffix of suffixes) used.add(name + suffix)
    names.set(type.uid, name)
  }
  return uid => names.get(uid) as string
}

const isFree = (name: string, used: ReadonlySet<string>): boolean => suffixes.every(suffix => !used.has(name + suffix))

/** `api::article.article` is Article, `shared.seo` SharedSeo, `plugin::files.folder` FilesFolder. */
const shortName = ({ uid, routed, singularName }: ContentType): string =>
  pascal(routed ? singularName : uid.replace(/^plugin::/, ''))

const pascal = (text: string): string => {
  const name = text
    .split(/[^A-Za-z0-9]+/)
    .map(part => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')
  return /^[A-Za-z]/.test(name) ? name : `Type${name}`
}

import type { ContentType, Registry } from '../../../core/index.js'
import { nearest } from '../../../core/plugin-kit.js'
import { typeNamed } from '../extensions/types-named.js'
import type { Labels, TypeLabels } from '../model/labels.js'

/** `console.config.labels`: by language, labels of types, components and their attributes by name. */
type LabelSettings = Readonly<Record<string, Readonly<Record<string, string>>>>

type Types = Pick<Registry, 'types'>

interface Named {
  readonly type: ContentType
  readonly attribute?: string
}

/** The labels by uid, and sentences about those that are of nothing. */
export function labelsOf(settings: LabelSettings, types: Types) {
  const problems: string[] = []
  const labels: Record<string, Record<string, TypeLabels>> = {}
  for (const [language, named] of Object.entries(settings)) {
    const byUid: Record<string, TypeLabels> = {}
    for (const [name, label] of Object.entries(named)) {
      const found = foundBy(name, types)
      if (typeof found === 'string') problems.push(`config/plugins: console.labels.${language}: ${found}`)
      else {
        const { uid } = found.type
        const known = byUid[uid] ?? { fields: {} }
        const { attribute } = found
        byUid[uid] =
          attribute === undefined
            ? { ...known, name: label }
            : { ...known, fields: { ...known.fields, [attribute]: label } }
      }
    }
    labels[language] = byUid
  }
  return { labels: labels as Labels, problems }
}

/** The type of a name such as `article` or `shared.seo`, with the attribute where one stands behind it; or what is wrong. */
function foundBy(name: string, types: Types): Named | string {
  const whole = typeOf(name, types)
  if (whole) return { type: whole }
  const dot = name.lastIndexOf('.')
  const type = dot < 0 ? undefined : typeOf(name.slice(0, dot), types)
  if (!type) return `there is no type "${name}"${meant(name, namesOf(types))}; its label is not used`
  const attribute = name.slice(dot + 1)
  const known = ['id', ...type.fields.keys(), ...type.links.keys()]
  if (known.includes(attribute)) return { type, attribute }
  return `${type.uid} has no attribute "${attribute}"${meant(attribute, known)}; its label is not used`
}

const typeOf = (name: string, types: Types): ContentType | undefined => types.types.get(typeNamed(types, name) ?? name)

const namesOf = ({ types }: Types): string[] =>
  [...types.values()].flatMap(({ uid, kind, singularName }) => (kind === 'component' ? [uid] : [singularName, uid]))

function meant(name: string, names: readonly string[]): string {
  const found = nearest(name, [...names])
  return found === undefined ? '' : `; did you mean "${found}"?`
}

/** The labels of what an editor sees. */
export function shownLabels(labels: Labels, attributesOf: (uid: string) => readonly string[] | undefined): Labels {
  const shown = Object.entries(labels).map(([language, byUid]) => {
    const seen = Object.entries(byUid).flatMap(([uid, own]) => {
      const names = attributesOf(uid)
      if (!names) return []
      const fields = Object.entries(own.fields).filter(([name]) => name === 'id' || names.includes(name))
      return [[uid, { ...own, fields: Object.fromEntries(fields) }] as const]
    })
    return [language, Object.fromEntries(seen)] as const
  })
  return Object.fromEntries(shown)
}

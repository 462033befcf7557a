import { languageAmong } from './language.js'
import type { ComponentMeta, Meta, TypeMeta } from './meta.js'

/** Labels by language, and by the uid of a type or a component. */
export type Labels = Readonly<Record<string, Readonly<Record<string, TypeLabels>>>>

export interface TypeLabels {
  readonly name?: string
  /** By attribute. */
  readonly fields: Readonly<Record<string, string>>
}

/** The description with the labels that it has in a language. */
export function withLabels(meta: Meta, language: string): Meta {
  const labels = meta.labels[languageAmong(Object.keys(meta.labels), [language]) ?? '']
  if (!labels) return meta
  const labelled = <T extends TypeMeta | ComponentMeta>(one: T): T => {
    const own = labels[one.uid]
    if (!own) return one
    const { layout } = one
    const fields = Object.entries(layout.fields).map(([name, field]) => {
      const label = own.fields[name]
      return [name, label === undefined ? field : { ...field, label, listLabel: label }]
    })
    return { ...one, name: own.name ?? one.name, layout: { ...layout, fields: Object.fromEntries(fields) } }
  }
  return { ...meta, types: meta.types.map(labelled), components: meta.components.map(labelled) }
}

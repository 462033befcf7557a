import { isDeepStrictEqual } from 'node:util'
import type { AppOutline } from '../../../core/index.js'
import { nearest } from '../../../core/plugin-kit.js'
import { settingsActions } from '../../admin/index.js'
import type { ModuleFolder } from './folder.js'
import type { AttributeModule, Attributes } from './part.js'
import type { Source } from './sources.js'
import { typeNamed } from './types-named.js'

type Read = Source & { readonly files: ModuleFolder | undefined }
type Outline = Pick<AppOutline, 'types' | 'actions'>

/** Mistakes of extensions, each with its consequence: none of them stops the start. */
export const problemsOf = (sources: readonly Read[], outline: Outline): readonly string[] => [
  ...sources.flatMap(source => [...folderProblems(source), ...namesProblems(source, outline)]),
  ...doubled(sources, 'fields', 'editor'),
  ...doubled(sources, 'cells', 'cell'),
]

function folderProblems({ says, part, folder, files }: Read): readonly string[] {
  const { fields = [], cells = [], pages = [], actions = [], widgets = [], texts = {} } = part
  if (!files)
    return [
      folder === undefined
        ? `${says}: the folder of its modules is relative, and no file of the plugin is known; an absolute path is needed. Nothing of it is in the console`
        : `${says}: there is no folder ${folder}; nothing of it is in the console`,
    ]
  const named: readonly (readonly [module: string, lost: string])[] = [
    ...fields.map(one => [one.module, `${labelOf(one.for)} has the plain editor of its type`] as const),
    ...cells.map(one => [one.module, `lists show the plain value of ${labelOf(one.for)}`] as const),
    ...pages.map(({ module, path }) => [module, `the page "${path}" is not there`] as const),
    ...actions.map(({ module, title }) => [module, `the action "${textOf(title)}" is not there`] as const),
    ...widgets.map(({ module, title }) => [module, `"${textOf(title)}" is not on the start page`] as const),
    ...Object.entries(texts).map(([language, file]) => [file, `it has no texts in "${language}"`] as const),
  ]
  return named
    .filter(([module]) => files.text(module) === undefined)
    .map(([module, lost]) => `${says}: there is no file ${module} in ${folder}; ${lost}`)
}

function namesProblems({ says, part: { pages = [], actions = [], widgets = [] } }: Read, outline: Outline) {
  const types = actions.flatMap(({ title, types: names = [] }) =>
    names
      .filter(name => typeNamed(outline.types, name) === undefined)
      .map(
        name => `${says}: there is no type "${name}"${meant(name, outline)}; "${textOf(title)}" is not offered there`,
      ),
  )
  const known = new Set([...outline.actions.map(({ uid, action }) => `${uid}.${action}`), ...settingsActions])
  const rights = [...pages, ...actions, ...widgets].flatMap(({ title, right }) =>
    right === undefined || known.has(right)
      ? []
      : [
          `${says}: the server has no permission "${right}"; "${textOf(title)}" is there for Super Admins, and for roles that have this permission in the database`,
        ],
  )
  return [...types, ...rights]
}

function meant(name: string, { types: { types } }: Outline): string {
  const names = [...types.values()].flatMap(({ uid, routed, singularName }) => (routed ? [singularName, uid] : [uid]))
  const found = nearest(name, names)
  return found === undefined ? '' : ` (did you mean "${found}"?)`
}

/** Attributes that have two modules: the page takes the first. */
function doubled(sources: readonly Read[], kind: 'fields' | 'cells', noun: string): readonly string[] {
  const all = sources.flatMap(({ says, part }) =>
    (part[kind] ?? []).map((one: AttributeModule) => ({ says, for: one.for })),
  )
  return all.flatMap((one, index) => {
    const first = all.findIndex(other => isDeepStrictEqual(other.for, one.for))
    return first === index
      ? []
      : [`${one.says}: ${labelOf(one.for)} has the ${noun} of ${all[first]?.says} already; this one is not used`]
  })
}

export const labelOf = (attributes: Attributes): string =>
  typeof attributes === 'string'
    ? `the custom field ${attributes}`
    : `${attributes.type} with ${attributes.option}: ${JSON.stringify(attributes.is)}`

const textOf = (title: string | Readonly<Record<string, string>>): string =>
  typeof title === 'string' ? title : (title.en ?? Object.values(title)[0] ?? '')

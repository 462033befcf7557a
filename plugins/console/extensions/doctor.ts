import type { AppOutline, Check } from '../../../core/index.js'
import type { Console } from '../service.js'
import { sourcesOf } from './sources.js'

/** Custom fields that the page shows as the type in which they are stored. */
export const editorsCheck: Check<Console> = {
  name: 'console-editors',
  describe: 'custom fields that have no editor in the console',
  run({ host: { outline } }, report) {
    const fields = withoutEditor(outline)
    if (fields.length === 0) return
    report({
      severity: 'note',
      says:
        fields.length === 1
          ? 'one attribute is a custom field without an editor in the console'
          : `${fields.length} attributes are custom fields without an editor in the console`,
      examples: fields,
      advice:
        'their forms have the plain editor of the type in which they are stored; a plugin or config/console may declare one under fields',
    })
  },
}

function withoutEditor({ types, plugins }: Pick<AppOutline, 'types' | 'plugins'>): readonly string[] {
  const known = new Set(
    sourcesOf(plugins)
      .flatMap(({ part }) => part.fields ?? [])
      .map(one => one.for),
  )
  return [...types.types.values()].flatMap(({ uid, attributes }) =>
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const { customField } = attribute as { readonly customField?: unknown }
      return typeof customField === 'string' && !known.has(customField) ? [`${uid} ${name}: ${customField}`] : []
    }),
  )
}

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { valueTypes } from '../../../../../core/schema/field-types.js'
import { fileWords } from '../../../../../core/schema/file-words.js'
import { linkTypes } from '../../../../../core/schema/link-types.js'
import { loadDefinitions } from '../../../../../core/schema/load.js'
import { buildRegistry, type Registry } from '../../../../../core/schema/registry.js'
import { Drawing } from '../../../../../plugins/console/model/schema/drawing.js'
import { schemaOfApp } from '../../../../../plugins/console/schema/described.js'
import { words as drafts } from '../../../../../plugins/draft-and-publish/schema-words.js'
import { words as languages } from '../../../../../plugins/i18n/schema-words.js'
import { folderOf } from '../../../../support/terminal.js'

const words = {
  kinds: new Map([...valueTypes, ...linkTypes].map(kind => [kind.name, kind])),
  options: drafts.options,
  pluginOptions: new Map([['i18n', languages.pluginOptions]]),
}

/** The drawing of an app with files, and what the server makes of it: it throws where a start would refuse. */
export function drawn(files: Readonly<Record<string, string>>): {
  drawing: Drawing
  accepted: (drawing: Drawing) => Registry
} {
  const folder = folderOf()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const read = (changed?: ReadonlyMap<string, string | null>) => loadDefinitions(folder, changed)
  const registry = (changed?: ReadonlyMap<string, string | null>) =>
    buildRegistry(read(changed), { kinds: words.kinds, words })
  const schemas = { read, words: () => fileWords(words) }
  const host = { app: { appDir: folder }, types: registry(), schemas }
  const app = schemaOfApp(host as unknown as Parameters<typeof schemaOfApp>[0])
  return {
    drawing: new Drawing(app, {}),
    accepted: ({ drafts: changed }) => registry(new Map(Object.entries(changed))),
  }
}

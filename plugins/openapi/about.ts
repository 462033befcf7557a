import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppOutline } from '../../core/index.js'
import type { About } from './document.js'

/** The document's `info`: the settings, or else the app's package.json. */
export function aboutOf({ app }: AppOutline, settings: Settings): About {
  const known = packageOf(app.appDir)
  const license = settings.license ?? known.license ?? 'UNLICENSED'
  const isLicensed = license !== 'UNLICENSED'
  return {
    title: settings.title ?? known.name ?? 'REST API',
    version: settings.version ?? known.version ?? '1.0.0',
    license: {
      name: isLicensed ? license : 'proprietary',
      // A proprietary license has no SPDX identifier; SPDX names it with this prefix.
      identifier: isLicensed ? license : 'LicenseRef-proprietary',
    },
    servers: settings.servers,
  }
}

export interface Settings {
  readonly title: string | undefined
  readonly version: string | undefined
  readonly license: string | undefined
  readonly servers: readonly string[]
}

type Package = Partial<Readonly<Record<'name' | 'version' | 'license', string>>>

function packageOf(folder: string): Package {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return {}
  const read = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>
  const texts = Object.entries(read).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(texts) as Package
}

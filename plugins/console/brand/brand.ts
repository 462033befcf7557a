import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { BootError, type Host } from '../../../core/index.js'
import { StaticBody } from '../../../core/plugin-kit.js'
import { packed } from '../../pages/serving/packed.js'
import { accentSheet } from './accent.js'

/** `console.config.brand` */
export interface BrandSettings {
  readonly name?: string
  /** A picture in the folder of the app. */
  readonly logo?: string
  readonly accent?: string
}

const pictures: Readonly<Record<string, string>> = {
  ...{ '.svg': 'image/svg+xml', '.png': 'image/png', '.webp': 'image/webp', '.jpg': 'image/jpeg', '.gif': 'image/gif' },
}

/** Name, logo and colour of an app in its page. */
export class Brand {
  readonly #name: string | undefined
  readonly #logo: [string, StaticBody] | undefined
  readonly #styles: [string, StaticBody] | undefined

  private constructor(name?: string, logo?: StaticBody, styles?: StaticBody) {
    this.#name = name
    this.#logo = logo && [addressOf('logo', logo), logo]
    this.#styles = styles && [addressOf('accent', styles), styles]
  }

  /** Reads the files where the page is served. */
  static async open({ app, config, purpose }: Pick<Host<{ brand: BrandSettings }>, 'app' | 'config' | 'purpose'>) {
    const { name, accent } = config.brand
    const logo = logoIn(app.appDir, config.brand)
    if (purpose !== 'serve') return new Brand()
    return new Brand(
      name,
      logo && new StaticBody(logo.type, await readFile(logo.file)),
      accent === undefined ? undefined : await packed('text/css; charset=utf-8', accentSheet(accent)),
    )
  }

  /** A file by its name, which changes with its content. */
  file(name: string): StaticBody | undefined {
    return [this.#logo, this.#styles].find(file => file?.[0] === `/console/brand/${name}`)?.[1]
  }

  /** The page, which has the brand before anyone has signed in. */
  edit(html: string): string {
    const [logo] = this.#logo ?? []
    const [styles] = this.#styles ?? []
    const told = { ...(this.#name && { brand: this.#name }), ...(logo && { logo }) }
    const data = Object.entries(told).map(([key, value]) => ` data-${key}="${escaped(value)}"`)
    const branded = html.replace('<html', () => `<html${data.join('')}`)
    return styles === undefined
      ? branded
      : branded.replace('</head>', () => `<link rel="stylesheet" href="${styles}"></head>`)
  }
}

/** The file of the logo; what is wrong with it stops the start. */
export function logoIn(appDir: string, { logo }: BrandSettings): { file: string; type: string } | undefined {
  if (logo === undefined) return undefined
  const file = path.resolve(appDir, logo)
  const type = pictures[path.extname(file).toLowerCase()]
  const isInside = !path.relative(appDir, file).startsWith('..')
  const problem =
    type === undefined
      ? `is no picture for the web: ${Object.keys(pictures).join(', ')}`
      : !isInside
        ? 'is not in the folder of the app'
        : existsSync(file)
          ? undefined
          : `is not there: ${file}`
  if (type === undefined || problem !== undefined)
    throw new BootError(`config/plugins: console.config.brand.logo: "${logo}" ${problem}`)
  return { file, type }
}

const endings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(pictures).map(([ending, type]) => [type, ending])),
  'text/css; charset=utf-8': '.css',
}

const addressOf = (name: string, { tag, type }: StaticBody): string => `/console/brand/${name}-${tag}${endings[type]}`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

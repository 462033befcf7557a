import { fileURLToPath } from 'node:url'
import { loadsFiles, type Whole } from './whole.js'

/** Defined in the one file of the build, and nowhere else. */
declare const theWhole: Whole | undefined
const whole = typeof theWhole === 'undefined' ? undefined : theWhole
if (!whole) loadsFiles()

const dist = new URL('../../', import.meta.url)
const placeOf = ({ href }: URL): string => href.replace(dist.href, '')

/** A module of the server by its file, from the one file of the build if the server runs from that. */
export async function importOwn(file: URL): Promise<Record<string, unknown>> {
  const module = whole?.modules[placeOf(file)]
  return module ? (module() as Record<string, unknown>) : import(file.href)
}

/** The file from which others load a module of the server, so that it is the one that this process runs. */
export const entryTo = (file: URL): string => fileURLToPath(whole ? new URL(`entries/${placeOf(file)}`, dist) : file)

/** Keeps what V8 has compiled of the server. */
export const keepServer = (): void => whole?.keep()

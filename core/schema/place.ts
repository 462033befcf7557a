import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { BootError } from '../errors.js'

/** The place of a file that is to be written, with links followed; a `BootError` where they lead out of the folder of the app. */
export function placeIn(appDir: string, file: string): string {
  const folder = realpathSync(appDir)
  const place = real(path.join(folder, file))
  if (!place.startsWith(`${folder}${path.sep}`))
    throw new BootError(`${file} leads to ${place}, which is not in the folder of the app: a link is on its way`)
  return place
}

/** A path of which the end may not be there yet. */
function real(place: string): string {
  try {
    return realpathSync(place)
  } catch (error) {
    const isLink = lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()
    if (isLink) throw new BootError(`${place} is a link to something that is not there`, { cause: error })
    return path.join(real(path.dirname(place)), path.basename(place))
  }
}

import type { Related } from '../../model/form/plain.js'
import { fileName } from './file-type.js'

/** Has the browser store files, under their names where they are of this server. */
export function download(files: readonly Related[]): void {
  for (const file of files) {
    const link = document.createElement('a')
    link.href = String(file.values.url)
    link.download = fileName(file)
    link.target = '_blank'
    link.click()
  }
}

import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Host, optional, type Session } from '../../core/index.js'
import { upload } from '../upload/index.js'

const fileUid = 'plugin::upload.file'
const width = 640
const height = 400

/** A picture for an article, drawn here; undefined in an app that keeps no files. */
export async function makeCover(
  host: Pick<Host, 'entries' | 'service'>,
  { name, words, colours }: { name: string; words: string; colours: readonly string[] },
  session: Session,
): Promise<number | undefined> {
  const files = host.service(optional(upload))
  if (!files) return undefined
  const picture = draw(colours)
  const { folder } = files.serving
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, `${name}.svg`), picture)
  const { id } = await host.entries(fileUid, session).create({
    ...{ name: `${name}.svg`, alternativeText: words, width, height, folderPath: '/' },
    ...{ hash: name, ext: '.svg', mime: 'image/svg+xml', size: picture.length / 1000 },
    ...{ url: `/uploads/${name}.svg`, provider: 'local' },
  })
  return Number(id)
}

/** Hills, one colour behind the other. */
function draw([sky = '', ...hills]: readonly string[]): string {
  const paths = hills.map((colour, index) => {
    const top = 160 + index * 80
    const bend = index % 2 === 0 ? 90 : -60
    return `  <path fill="${colour}" d="M0 ${top} Q160 ${top - bend} 320 ${top} T640 ${top} V${height} H0 Z"/>`
  })
  const frame = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const ground = `  <rect width="${width}" height="${height}" fill="${sky}"/>`
  return [`<svg xmlns="http://www.w3.org/2000/svg" ${frame}>`, ground, ...paths, '</svg>\n'].join('\n')
}

import { open } from 'node:fs/promises'

const sample = 65_536

/** The size that an SVG picture gives itself, in pixels; it is read as text and never drawn. */
export async function sizeOfSvg(path: string): Promise<{ width: number | null; height: number | null }> {
  const handle = await open(path)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(sample), 0, sample, 0).finally(() => handle.close())
  const [tag = ''] = /<(?:[\w-]+:)?svg\b[^>]{0,10000}/i.exec(buffer.toString('utf8', 0, bytesRead)) ?? []
  const attribute = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']{0,200})["']`, 'i').exec(tag)?.[1]
  const pixels = (text: string | undefined) => {
    const [, number] = /^\s*(\d{1,7}(?:\.\d{1,5})?)\s*(?:px)?\s*$/.exec(text ?? '') ?? []
    return number === undefined ? undefined : Math.round(Number(number))
  }
  const [, , boxWidth, boxHeight] = (attribute('viewBox') ?? '').trim().split(/[\s,]+/)
  return {
    width: pixels(attribute('width')) ?? pixels(boxWidth) ?? null,
    height: pixels(attribute('height')) ?? pixels(boxHeight) ?? null,
  }
}

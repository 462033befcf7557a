/** Tar is made of blocks: a header, then the content, filled up to a whole one. */
export const blockSize = 512

/** Beyond these a header cannot say it, and a record before it does. */
const longestName = 100
const largestSize = 0o77777777777

/** The header before a member's content. */
export function headerOf(name: string, size: number, time: number): Buffer {
  const records = [
    ...(Buffer.byteLength(name) > longestName || /[^\x20-\x7e]/.test(name) ? [recordOf('path', name)] : []),
    ...(size > largestSize ? [recordOf('size', String(size))] : []),
  ]
  if (records.length === 0) return header(name, size, time, '0')
  const said = Buffer.concat(records)
  const short = name.replace(/[^\x20-\x7e]/g, '_').slice(-longestName)
  return Buffer.concat([
    header('more', said.length, time, 'x'),
    said,
    filling(said.length),
    header(short, Math.min(size, largestSize), time, '0'),
  ])
}

/** The padding behind a content of this size. */
export const filling = (size: number): Buffer => Buffer.alloc((blockSize - (size % blockSize)) % blockSize)

/** The end of an archive, behind the last member. */
export const ending = (): Buffer => Buffer.alloc(2 * blockSize)

function header(name: string, size: number, time: number, kind: '0' | 'x'): Buffer {
  const block = Buffer.alloc(blockSize)
  block.write(name, 0, longestName, 'latin1')
  block.write('0000600\0', 100, 'latin1')
  block.write('0000000\0', 108, 'latin1')
  block.write('0000000\0', 116, 'latin1')
  block.write(`${octal(size, 11)}\0`, 124, 'latin1')
  block.write(`${octal(Math.floor(time / 1000), 11)}\0`, 136, 'latin1')
  block.write(kind, 156, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  block.write(`${octal(checksumOf(block), 6)}\0 `, 148, 'latin1')
  return block
}

const octal = (number: number, digits: number): string => number.toString(8).padStart(digits, '0')

/** The sum of all bytes, where those of the sum itself count as spaces. */
export function checksumOf(block: Buffer): number {
  let sum = 8 * 0x20
  for (let index = 0; index < blockSize; index += 1) if (index < 148 || index >= 156) sum += block[index] as number
  return sum
}

/** `<length> <key>=<value>\n`, where the length counts its own digits too. */
function recordOf(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + String(rest).length
  if (String(length).length !== String(rest).length) length += 1
  return Buffer.from(`${length} ${key}=${value}\n`)
}

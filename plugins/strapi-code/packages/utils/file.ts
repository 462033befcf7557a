import { Writable } from 'node:stream'
import type { Loose } from '../../types.js'

const units: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }

/** `10 MB` in bytes. */
function toBytes(text: Loose): number {
  const [, number, unit = 'B'] = /^\s*([\d.]+)\s*([a-z]+)?\s*$/i.exec(String(text)) ?? []
  return number === undefined ? Number.NaN : Math.round(Number(number) * (units[unit.toUpperCase()] ?? 1))
}

/** Bytes as people read them. */
function toText(bytes: number, precision = 0): string {
  const [unit, size] = Object.entries(units).findLast(([, size]) => bytes >= size) ?? ['B', 1]
  return `${(bytes / size).toFixed(precision)} ${unit}`
}

export const file = {
  streamToBuffer: async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) chunks.push(chunk)
    return Buffer.concat(chunks)
  },
  getStreamSize: async (stream: AsyncIterable<Uint8Array>): Promise<number> => {
    let size = 0
    for await (const chunk of stream) size += chunk.length
    return size
  },
  kbytesToBytes: (size: number): number => size * 1000,
  bytesToKbytes: (size: number): number => Math.round((size / 1000) * 100) / 100,
  bytesToHumanReadable: (size: number): string => toText(size),
  formatBytes: (size: number, precision?: number): string => toText(size, precision),
  bytesFromHumanReadable: toBytes,
  writableDiscardStream: (options?: Loose): Writable =>
    new Writable({ ...options, write: (_chunk, _encoding, done) => done() }),
}

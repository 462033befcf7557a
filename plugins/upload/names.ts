import { randomBytes } from 'node:crypto'
import path from 'node:path'

const longest = 100
/** Letters that decomposing alone would not spell in ASCII. */
const spelt: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  ø: 'o',
  Ø: 'O',
  å: 'a',
  đ: 'd',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  œ: 'oe',
}

/** The last part of a name that a client sent, without forbidden signs. */
export function plainName(sent: string): string {
  const last = sent.split(/[\\/]/).at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const clean = last.normalize('NFC').replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '')
  return [...clean].slice(0, 200).join('').trim() || 'file'
}

/** The extension of a name, where it is a plain one. */
export function extensionOf(name: string): string {
  const extension = path.extname(name)
  return /^\.[A-Za-z0-9]{1,12}$/.test(extension) ? extension : ''
}

/** A name for storage: readable, and impossible to guess. */
export function newHash(name: string): string {
  const stem = name.slice(0, name.length - path.extname(name).length)
  return `${slug(stem)}_${randomBytes(5).toString('hex')}`
}

function slug(text: string): string {
  const ascii = [...text.normalize('NFC')].map(letter => spelt[letter] ?? letter).join('')
  const words =
    ascii
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[A-Za-z0-9]+/g) ?? []
  return words.join('_').slice(0, longest) || 'file'
}

import { language, t } from '../text.js'

/** The class of a file in the words of `allowedTypes`. */
export function classOf(mime: unknown): string {
  const [family] = String(mime ?? '').split('/')
  return family === 'image' ? 'images' : family === 'video' ? 'videos' : family === 'audio' ? 'audios' : 'files'
}

/** A field takes files of a type. */
export const isAccepted = (mime: unknown, accepts: readonly string[] | undefined): boolean =>
  accepts?.includes(classOf(mime)) ?? true

export const isPicture = (mime: unknown): boolean => classOf(mime) === 'images'

/** The end of a file's name, with its dot. */
export const endOf = (name: string): string => /\.[^.]+$/.exec(name)?.[0] ?? name

/** A sentence about the files that a field takes; undefined where it takes all. */
export function takesText(accepts: readonly string[] | undefined): string | undefined {
  const words: Readonly<Record<string, string>> = {
    images: t('files.images'),
    videos: t('files.videos'),
    audios: t('files.audios'),
    files: t('files.others'),
  }
  const known = Object.keys(words).filter(kind => accepts?.includes(kind) ?? true)
  if (known.length === Object.keys(words).length) return undefined
  return t('files.takes', { kinds: new Intl.ListFormat(language()).format(known.map(kind => words[kind] as string)) })
}

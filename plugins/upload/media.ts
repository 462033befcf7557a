import type { AttributeBase, LinkType } from '../../core/index.js'
import { fileUid } from './content-types.js'

declare module '../../core/index.js' {
  interface AttributeTypes {
    media: AttributeBase & {
      readonly type: 'media'
      readonly multiple?: boolean
      readonly allowedTypes?: readonly FileClass[]
    }
  }
}

/** The words of `allowedTypes`: a file that is no image, video or audio is one of `files`. */
export const fileClasses = ['images', 'videos', 'audios', 'files'] as const
export type FileClass = (typeof fileClasses)[number]

export function classOf(mime: unknown): FileClass {
  const [family] = String(mime ?? '').split('/')
  return family === 'image' ? 'images' : family === 'video' ? 'videos' : family === 'audio' ? 'audios' : 'files'
}

/** An attribute that leads to files: one, or a list in the order that was sent. */
export const media: LinkType = {
  name: 'media',
  kind: 'link',
  options: {
    multiple: { type: 'boolean' },
    allowedTypes: { type: 'array', items: { enum: fileClasses }, minItems: 1 },
  },
  link: ({ uid, name, attribute }) => {
    const { multiple, allowedTypes } = attribute as { multiple?: boolean; allowedTypes?: readonly FileClass[] }
    return {
      many: multiple === true,
      shape: 'data',
      targets: [fileUid],
      polymorphic: true,
      open: true,
      setOnly: true,
      ...(allowedTypes && {
        accepts: {
          field: 'mime',
          test: (mime: unknown) => allowedTypes.includes(classOf(mime)),
          describe: `takes only ${allowedTypes.join(', ')}`,
        },
      }),
      storage: {
        via: 'table',
        table: 'files_related_morphs',
        from: 'related_id',
        to: 'file_id',
        order: 'order',
        match: { related_type: uid, field: name },
      },
    }
  },
}

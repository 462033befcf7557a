import type { Related, Values } from '../../../model/form/plain.js'

/** Attributes of a file in a block, as Strapi's own editor stores them. */
const stored = [
  ...['name', 'alternativeText', 'url', 'caption', 'width', 'height', 'formats', 'hash', 'ext', 'mime', 'size'],
  ...['previewUrl', 'provider', 'provider_metadata', 'createdAt', 'updatedAt'],
]

/** The block of an image of the library. Its address is whole, as sites show blocks that know no other server. */
export function imageOf({ values }: Related): Values {
  const known = stored.flatMap(name => (values[name] === undefined ? [] : [[name, values[name]]]))
  const image: Values = Object.fromEntries(known)
  const alternativeText = image.alternativeText || image.name
  const url = new URL(String(image.url), location.origin).href
  return { type: 'image', image: { ...image, alternativeText, url }, children: [{ type: 'text', text: '' }] }
}

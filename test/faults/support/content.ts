/** An article over all its tables. */
export interface Shape {
  readonly author: string
  readonly tags: readonly string[]
  readonly seo: string
  readonly network: string
  readonly slides: readonly { readonly caption: string; readonly tag: string }[]
  readonly blocks: readonly string[]
}

export const authors = ['Ada', 'Bob']
export const tags = ['red', 'green', 'blue']

/** The content of an article follows from its title, so that every row tells whether all of it is there. */
export function shapeOf(title: string): Shape {
  const number = Number(/v(\d+)$/.exec(title)?.[1])
  return {
    author: authors[number % authors.length] as string,
    tags: tags.slice(0, 1 + (number % tags.length)),
    seo: `seo of ${title}`,
    network: `network of ${title}`,
    slides: Array.from({ length: 1 + (number % 3) }, (_, index) => ({
      caption: `slide ${index} of ${title}`,
      tag: tags[(number + index) % tags.length] as string,
    })),
    blocks: [`quote of ${title}`, ...(number % 2 ? [`block of ${title}`] : [])],
  }
}

/** The ids of the entries that articles lead to. */
export interface Seeds {
  readonly authors: Readonly<Record<string, number>>
  readonly tags: Readonly<Record<string, number>>
}

/** The same as a request says it. */
export function dataOf(title: string, seeds: Seeds): Record<string, unknown> {
  const { author, tags, seo, network, slides, blocks } = shapeOf(title)
  const [quote, block] = blocks
  return {
    title,
    author: seeds.authors[author],
    tags: tags.map(name => seeds.tags[name]),
    seo: { title: seo, social: { network } },
    slides: slides.map(({ caption, tag }) => ({ caption, tag: seeds.tags[tag] })),
    blocks: [
      { __component: 'parts.quote', text: quote },
      ...(block === undefined ? [] : [{ __component: 'parts.slide', caption: block }]),
    ],
  }
}

export const titleOf = (key: string, version: number): string => `${key} v${version}`
export const keyOf = (title: string): string => title.slice(0, title.lastIndexOf(' v'))

/** Files are named after what they belong to, and say it again and again. */
export const fileText = (name: string): string => `${name}\n`.repeat(200)
export const coverOf = (key: string): string => `${key}-cover.txt`

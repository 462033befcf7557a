interface Article {
  readonly title: string
  readonly slug: string
  readonly author: number
  readonly tags: readonly string[]
  readonly cover?: string
  readonly isDraft?: boolean
  readonly [attribute: string]: unknown
}

export const authors = [
  { name: 'Ada Lind', bio: 'Writes about ovens, and mends radios.', joinedOn: '2021-03-01' },
  { name: 'Ben Okafor', bio: 'Bakes at five, writes at nine.', joinedOn: '2022-09-15' },
  { name: 'Carla Núñez', bio: 'Grows the wheat that the others grind.', joinedOn: '2024-01-08' },
]

export const covers = [
  { name: 'loaf', words: 'A loaf on a board', colours: ['#f6e7cf', '#d9a86c', '#a86b3c', '#5e3a1f'] },
  { name: 'rye-field', words: 'A field of rye', colours: ['#dcebf5', '#e9d58b', '#c2a545', '#6f6a2a'] },
  { name: 'oven', words: 'An oven at night', colours: ['#2b2b3d', '#7a3b2e', '#c2542d', '#f0a04b'] },
  { name: 'kitchen', words: 'A kitchen', colours: ['#eef3ee', '#b7d1c2', '#6f9c86', '#35594a'] },
  { name: 'mill', words: 'A mill by the river', colours: ['#cfe3f2', '#8fb3c9', '#4f7f9c', '#264a63'] },
  { name: 'market', words: 'A market stall', colours: ['#fdf0e6', '#f0b58a', '#d9694f', '#7c3142'] },
]

/** Hills, one colour behind the other. */
export function drawing([sky = '', ...hills]: readonly string[]): string {
  const paths = hills.map((colour, at) => {
    const top = 160 + at * 80
    return `<path fill="${colour}" d="M0 ${top} Q160 ${top - (at % 2 === 0 ? 90 : -60)} 320 ${top} T640 ${top} V400 H0 Z"/>`
  })
  const size = 'width="640" height="400" viewBox="0 0 640 400"'
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="640" height="400" fill="${sky}"/>${paths.join('')}</svg>`
}

const body = [
  '## What you need',
  '',
  'Flour, water, salt, and *an evening*.',
  '',
  '1. Mix, and wait for an hour.',
  '2. Fold four times.',
  '3. Bake at **240 °C**.',
].join('\n')

export const articles: readonly Article[] = [
  {
    ...{ title: 'Bread that waits for you', slug: 'bread-that-waits', kind: 'guide', minutes: 8, author: 1 },
    ...{ summary: 'A dough that rests in the fridge, for people who work.', body, cover: 'loaf' },
    tags: ['bread', 'beginners', 'weekend'],
    seo: { metaTitle: 'Bread that waits', metaDescription: 'A dough for people who work.' },
    parts: [
      { __component: 'shared.quote', text: 'Time is the ingredient that people forget.', speaker: 'A baker in Lyon' },
      { __component: 'shared.picture', caption: 'After the second fold' },
    ],
  },
  {
    ...{ title: 'A radio that hums', slug: 'a-radio-that-hums', kind: 'essay', minutes: 12, author: 0 },
    ...{ tags: ['tools'], cover: 'kitchen', summary: 'What a kitchen sounds like at five.' },
  },
  {
    ...{ title: 'Rye, slowly', slug: 'rye-slowly', kind: 'guide', minutes: 15, author: 2 },
    ...{ tags: ['bread', 'rye'], cover: 'rye-field', summary: 'Three days, two flours, one loaf.' },
  },
  {
    ...{ title: 'An oven of bricks', slug: 'an-oven-of-bricks', kind: 'guide', minutes: 20, author: 0 },
    ...{ tags: ['tools', 'weekend'], cover: 'oven', isDraft: true },
  },
  { title: 'Salt', slug: 'salt', kind: 'note', minutes: 3, author: 1, tags: ['beginners'] },
  {
    ...{ title: 'The mill by the river', slug: 'the-mill', kind: 'essay', minutes: 9, author: 2 },
    ...{ tags: ['rye'], cover: 'mill' },
  },
  {
    ...{ title: 'What to ask at the market', slug: 'market', kind: 'note', minutes: 4, author: 1 },
    ...{ tags: ['beginners'], cover: 'market', isDraft: true },
  },
  { title: 'Crumbs', slug: 'crumbs', kind: 'note', minutes: 2, author: 0, tags: ['weekend'] },
]

export const translation = {
  title: 'Brot, das auf dich wartet',
  summary: 'Ein Teig, der im Kühlschrank ruht, für alle, die arbeiten.',
}

const paragraph = (text: string) => ({ type: 'paragraph', children: [{ type: 'text', text }] })

export const later = {
  summary: 'A dough that rests in the fridge overnight, for people who work.',
  story: {
    title: 'How we began',
    body: [
      { type: 'heading', level: 2, children: [{ type: 'text', text: 'An oven in a garage' }] },
      paragraph('It began with an oven that nobody wanted, and a bag of flour.'),
      {
        ...{ type: 'list', format: 'unordered' },
        children: ['Flour', 'Water', 'Salt'].map(text => ({ type: 'list-item', children: [{ type: 'text', text }] })),
      },
      { type: 'quote', children: [{ type: 'text', text: 'Bread is older than we are.' }] },
    ],
  },
  homepage: { headline: 'A magazine about bread' },
}

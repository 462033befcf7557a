interface Link {
  readonly label: string
  readonly url: string
}

export interface Author {
  readonly name: string
  readonly handle: string
  readonly email: string
  readonly bio: string
  readonly joinedOn: string
  readonly website?: Link
  /** The handle of an author further up. */
  readonly mentor?: string
}

export const authors: readonly Author[] = [
  {
    name: 'Ada Winter',
    handle: 'ada',
    email: 'ada@example.com',
    bio: 'Gardens on a balcony and writes down what survives.',
    joinedOn: '2021-03-01',
    website: { label: 'The balcony', url: 'https://ada.example.com' },
  },
  {
    name: 'Ben Okafor',
    handle: 'ben',
    email: 'ben@example.com',
    bio: 'Bakes bread, and explains it with numbers.',
    joinedOn: '2021-09-15',
    mentor: 'ada',
  },
  {
    name: 'Carla Ruiz',
    handle: 'carla',
    email: 'carla@example.com',
    bio: 'Walks to places that have no train station.',
    joinedOn: '2022-05-20',
    website: { label: 'On foot', url: 'https://carla.example.com' },
  },
  {
    name: 'Dmitri Laine',
    handle: 'dmitri',
    email: 'dmitri@example.com',
    bio: 'Repairs radios older than himself.',
    joinedOn: '2023-01-10',
    mentor: 'ben',
  },
  {
    name: 'Émilie Sato',
    handle: 'emilie',
    email: 'emilie@example.com',
    bio: 'Draws maps of small towns.',
    joinedOn: '2024-11-02',
    mentor: 'carla',
  },
]

export interface Category {
  readonly name: string
  readonly slug: string
  readonly description: string
  /** The slug of a category further up. */
  readonly parent?: string
}

export const categories: readonly Category[] = [
  { name: 'Home', slug: 'home', description: 'What can be done without going out.' },
  { name: 'Kitchen', slug: 'kitchen', description: 'What can be eaten afterwards.', parent: 'home' },
  { name: 'Workshop', slug: 'workshop', description: 'What needs a screwdriver.', parent: 'home' },
  { name: 'Outdoors', slug: 'outdoors', description: 'What needs shoes.' },
]

export const tags: readonly { readonly name: string }[] = [
  { name: 'beginners' },
  { name: 'weekend' },
  { name: 'bread' },
  { name: 'garden' },
  { name: 'maps' },
  { name: 'radio' },
  { name: 'repair' },
  { name: 'walking' },
]

export interface Comment {
  readonly reader: string
  readonly text: string
  /** The slug of the article it is about. */
  readonly article: string
}

export const comments: readonly Comment[] = [
  { reader: 'Noor', text: 'Mine rose too fast. Colder water helped.', article: 'bread-with-four-ingredients' },
  { reader: 'Tomás', text: 'Ninety percent rye works as well.', article: 'bread-with-four-ingredients' },
  { reader: 'Li', text: 'The second map is upside down, and better for it.', article: 'drawing-a-town-from-memory' },
]

export const homepage = {
  title: 'Small things, done slowly',
  welcome: 'Notes, guides and essays about **making**, **mending** and **walking**.',
  seo: {
    title: 'Small things, done slowly',
    description: 'A sample site about making, mending and walking.',
    canonical: { label: 'Home', url: 'https://example.com' },
  },
  sections: [
    { __component: 'blocks.text', body: 'New here? Start with the bread.' },
    {
      __component: 'blocks.link-list',
      heading: 'Elsewhere',
      links: [{ label: 'The balcony', url: 'https://ada.example.com' }],
    },
  ],
  lead: 'bread-with-four-ingredients',
  picks: ['a-radio-that-hums', 'tomatoes-on-a-balcony', 'ten-kilometres-without-a-plan'],
  spotlight: ['emilie', 'ben'],
}

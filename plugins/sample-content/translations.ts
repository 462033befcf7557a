/** An article in another language. Omitted values are shared with the article that it translates. */
export interface Translation {
  /** The slug of the article in English. */
  readonly of: string
  readonly locale: 'de' | 'fr'
  readonly title: string
  readonly slug: string
  readonly summary: string
  readonly body: string
}

export const translations: readonly Translation[] = [
  {
    of: 'bread-with-four-ingredients',
    locale: 'de',
    title: 'Brot aus vier Zutaten',
    slug: 'brot-aus-vier-zutaten',
    summary: 'Aus Mehl, Wasser, Salz und Zeit wird ein Laib, der vier Tage hält.',
    body: '## Was man braucht\n\nMehl, Wasser, Salz und einen Abend.\n\n## Was man tut\n\nMischen, warten, falten, warten, backen.',
  },
  {
    of: 'bread-with-four-ingredients',
    locale: 'fr',
    title: 'Un pain de quatre ingrédients',
    slug: 'un-pain-de-quatre-ingredients',
    summary: 'De la farine, de l’eau, du sel et du temps font un pain qui se garde quatre jours.',
    body: '## Il faut\n\nDe la farine, de l’eau, du sel et une soirée.\n\n## On fait\n\nMélanger, attendre, plier, attendre, cuire.',
  },
  {
    of: 'tomatoes-on-a-balcony',
    locale: 'de',
    title: 'Tomaten auf dem Balkon',
    slug: 'tomaten-auf-dem-balkon',
    summary: 'Ein Topf, ein Stab und die Geduld, mittags nicht zu gießen.',
    body: 'Unter zwanzig Litern geht es nicht.',
  },
]

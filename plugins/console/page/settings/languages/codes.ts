/** The languages of ISO 639-1. */
const iso =
  'aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'.split(
    ' ',
  )

/** Variants that are often written. */
const regions =
  'en-GB en-US en-AU en-CA de-AT de-CH fr-BE fr-CA fr-CH es-419 es-MX pt-BR pt-PT nl-BE zh-Hans zh-Hant sr-Latn sr-Cyrl'.split(
    ' ',
  )

interface KnownLanguage {
  readonly code: string
  readonly name: string
}

/** Languages by their names in the language of the page. */
export function knownLanguages(language: string): readonly KnownLanguage[] {
  const names = new Intl.DisplayNames([language], { type: 'language' })
  return [...iso, ...regions]
    .map(code => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, language))
}

import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { snakeCase } from '../../core/schema/names.js'
import { numbers } from '../support/numbers.js'

/** Names of attributes, each with its column as Strapi 4 calls it (`snakeCase` of lodash 4.17). */
const cases: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  words: [
    ['title', 'title'],
    ['metaTitle', 'meta_title'],
    ['HTMLBody', 'html_body'],
    ['bodyHTML', 'body_html'],
    ['XMLHttpRequest', 'xml_http_request'],
    ['already_snake', 'already_snake'],
    ['aB', 'a_b'],
    ['aBC', 'a_bc'],
    ['ABc', 'a_bc'],
    ['ID', 'id'],
    ['userID', 'user_id'],
    ['two__underscores', 'two_underscores'],
    ['UPPER_CASE', 'upper_case'],
    ['PascalCase', 'pascal_case'],
    ['kebab-name', 'kebab_name'],
    ['_leading', 'leading'],
    ['trailing_', 'trailing'],
    ['a b', 'a_b'],
    ['a.b', 'a_b'],
    ['a×b', 'a_b'],
    ['§paragraph', 'paragraph'],
  ],
  numbers: [
    ['with_numbers2Mixed', 'with_numbers_2_mixed'],
    ['address2', 'address_2'],
    ['v2Api', 'v_2_api'],
    ['x1y2', 'x_1_y_2'],
    ['ABCd1', 'ab_cd_1'],
    ['A1B2', 'a_1_b_2'],
    ['AB12cd', 'ab_12_cd'],
    ['utf8mb4', 'utf_8_mb_4'],
    ['iPhone12Pro', 'i_phone_12_pro'],
    ['ISO8601Date', 'iso_8601_date'],
    ['SHA256', 'sha_256'],
    ['mp3URL', 'mp_3_url'],
    ['H1Title', 'h_1_title'],
    ['web3Dapp', 'web_3_dapp'],
    ['3D', '3_d'],
    ['3dModel', '3_d_model'],
    ['2FA', '2_fa'],
    ['co2PerKm', 'co_2_per_km'],
    ['a1.5b', 'a_1_5_b'],
    ['½cup', 'cup'],
  ],
  ordinals: [
    ['Title1stRow', 'title_1st_row'],
    ['title1st', 'title_1st'],
    ['1stTitle', '1st_title'],
    ['place2ndBest', 'place_2nd_best'],
    ['the3RD', 'the_3rd'],
    ['4thOf', '4th_of'],
    ['row9TH', 'row_9th'],
    ['21st', '21st'],
    ['Row21stLine', 'row_21st_line'],
    ['22ndRow', '22nd_row'],
    ['103rd', '103rd'],
    ['10th', '10th'],
    ['20thCentury', '20th_century'],
    ['114throw', '114_throw'],
    ['114thRow', '114th_row'],
    ['1ST', '1st'],
    ['2ND', '2nd'],
    ['3RD', '3rd'],
    ['0th', '0th'],
    ['first1ST_row', 'first_1st_row'],
    ['a1st_b', 'a_1st_b'],
    ['4TH_of', '4th_of'],
    ['row_1st_2nd', 'row_1st_2nd'],
    ['TOP10TH', 'top_10th'],
    ['Top10thPlace', 'top_10th_place'],
    ['x2ndY3rdZ', 'x_2nd_y_3rd_z'],
    ['1stABC', '1st_abc'],
    ['1STabc', '1st_abc'],
  ],
  'what only looks like an ordinal': [
    ['11th', '11_th'],
    ['12th', '12_th'],
    ['13th', '13_th'],
    ['Row11thLine', 'row_11_th_line'],
    ['111th', '111_th'],
    ['112thRow', '112_th_row'],
    ['1Th', '1_th'],
    ['1sT', '1_s_t'],
    ['1stof', '1_stof'],
    ['1st2nd', '1_st_2nd'],
    ['1st1', '1_st_1'],
    ['2st', '2_st'],
    ['3th', '3_th'],
    ['5st', '5_st'],
    ['THE3RDOne', 'the_3_rd_one'],
    ['ROW9THRow', 'row_9_th_row'],
    ['1STAbc', '1_st_abc'],
  ],
  accents: [
    ['größe', 'grosse'],
    ['GRÖSSE', 'grosse'],
    ['prénom', 'prenom'],
    ['Prénom', 'prenom'],
    ['naïveCafé', 'naive_cafe'],
    ['straßeNr1', 'strasse_nr_1'],
    ['Ærø', 'aero'],
    ['ÆON', 'ae_on'],
    ['œuvre', 'oeuvre'],
    ['ŒUVRE', 'oe_uvre'],
    ['łódź', 'lodz'],
    ['Łódź', 'lodz'],
    ['Ñandú', 'nandu'],
    ['þing', 'thing'],
    ['Þing', 'thing'],
    ['đakovo', 'dakovo'],
    ['ĳsselmeer', 'ijsselmeer'],
    ['ŉaam', 'naam'],
    ['ıslak', 'islak'],
    ['İstanbul', 'istanbul'],
    ['ſtill', 'still'],
  ],
  'apostrophes and other scripts': [
    ["l'âge", 'lage'],
    ['l’âge', 'lage'],
    ["don'tStop", 'dont_stop'],
    ['тестИмя', 'тестимя'],
    ['名称', '名称'],
    ['名称A1', '名称_a_1'],
    ['café名', 'cafe名'],
    ['1st名', '1st_名'],
    ['smile😀Face', 'smile_😀_face'],
    ['flag🇩🇪1', 'flag_🇩🇪_1'],
  ],
}

/** The letters from U+00C0 to U+017F, each as it stands in a column. */
const latin =
  'a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th ss a a a a a a ae c e e e e i i i i d n o ' +
  'o o o o - o u u u u y th y a a a a a a c c c c c c c c d d d d e e e e e e e e e e g g g g g g g g h h h ' +
  'h i i i i i i i i i i ij ij j j k k k l l l l l l l l l l n n n n n n n n n o o o o o o oe oe r r r r r r ' +
  's s s s s s s s t t t t t t u u u u u u u u u u u u w w y y y z z z z z z s'

describe('names of columns', () => {
  for (const [what, rows] of Object.entries(cases))
    describe(what, () => {
      for (const [name, column] of rows) it(`${name} is ${column}`, () => assert.equal(snakeCase(name), column))
    })

  it('every letter of Latin has its letter without a mark', () => {
    const found = Array.from({ length: 0x180 - 0xc0 }, (_, place) => {
      const letter = String.fromCharCode(0xc0 + place)
      return letter === '×' || letter === '÷' ? '-' : snakeCase(letter)
    })
    assert.equal(found.join(' '), latin)
  })
})

/** Names of up to twelve of these characters, the same every time. */
function randomNames(characters: string, count: number): string[] {
  const below = numbers(characters.length)
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + below(12) }, () => characters[below(characters.length)]).join(''),
  )
}

describe('any name', () => {
  const plain = randomNames('aBcDsStTnNdDrRhH0123489_-', 20_000).filter(name => /[a-zA-Z0-9]/.test(name))

  it('keeps its letters and digits, in their order and in lower case', () => {
    for (const name of plain)
      assert.equal(snakeCase(name).replaceAll('_', ''), name.replace(/[^a-zA-Z0-9]/g, '').toLowerCase(), name)
  })

  it('consists of words, numbers and ordinals', () => {
    for (const name of plain)
      for (const part of snakeCase(name).split('_'))
        assert.match(part, /^([a-z]+|\d+|\d*(1st|2nd|3rd|[04-9]th))$/, `${name}: ${part}`)
  })

  it('is its own column once it is the name of a column', () => {
    for (const name of [...plain, ...randomNames("aÉsßtŒhç1'_", 5000)])
      assert.equal(snakeCase(snakeCase(name)), snakeCase(name), name)
  })

  it('has the same column whether a mark is part of its letter or stands behind it', () => {
    for (const name of randomNames('aÉtñÖzç1Å_', 5000))
      assert.equal(snakeCase(name.normalize('NFD')), snakeCase(name.normalize('NFC')), name)
  })
})

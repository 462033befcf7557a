import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { snakeCase } from '../../core/schema/names.js'

describe('names of columns', () => {
  const cases: [string, string][] = [
    ['title', 'title'],
    ['metaTitle', 'meta_title'],
    ['HTMLBody', 'html_body'],
    ['bodyHTML', 'body_html'],
    ['with_numbers2Mixed', 'with_numbers_2_mixed'],
    ['already_snake', 'already_snake'],
    ['address2', 'address_2'],
    ['v2Api', 'v_2_api'],
    ['aB', 'a_b'],
    ['ID', 'id'],
    ['userID', 'user_id'],
    ['x1y2', 'x_1_y_2'],
    ['two__underscores', 'two_underscores'],
    ['UPPER_CASE', 'upper_case'],
    ['PascalCase', 'pascal_case'],
    ['kebab-name', 'kebab_name'],
    ['_leading', 'leading'],
  ]
  for (const [name, column] of cases) it(`${name} is ${column}`, () => assert.equal(snakeCase(name), column))
})

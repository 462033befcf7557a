import type { Api, Body } from '../../support/contract.js'

/** The answer to an operation. */
export interface Graph {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly data: Body
  /** Code and message of each error. */
  readonly errors: readonly (readonly [code: string, message: string])[]
  readonly text: string
}

/** Sends operations to `/graphql`. */
export const asking =
  (api: Pick<Api, 'app'>, headers: Readonly<Record<string, string>> = {}) =>
  async (query: string, variables?: Readonly<Record<string, unknown>>): Promise<Graph> => {
    const response = await api.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify({ query, variables }),
    })
    const { data, errors = [] } = JSON.parse(response.body) as { data?: Body; errors?: Body[] }
    return {
      status: response.statusCode,
      headers: response.headers,
      data,
      errors: errors.map(({ extensions, message }) => [extensions.code, message]),
      text: response.body,
    }
  }

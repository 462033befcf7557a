import { ApplicationError } from '../../../core/index.js'

type Bag = Readonly<Record<string, unknown>>

const bagOf = (value: unknown): Bag => Object(value) as Bag

function unshown(): never {
  throw new ApplicationError(
    "The project's code replaces this action, and answers nothing that GraphQL can show here: use its route of REST",
  )
}

/** The values of fields, of what actions of a project's code have answered. */
export const answersOf = {
  /** `{ jwt, user }`, or an account alone. */
  account(answer: unknown): Bag {
    const { jwt, refreshToken, user = answer } = bagOf(answer)
    return bagOf(user).id === undefined ? unshown() : { jwt, refreshToken, user }
  },
  done: (answer: unknown): Bag => ({ ok: Boolean(bagOf(answer).ok ?? answer) }),
  /** The id of an entry, in the format of accounts or of other entries. */
  entry(answer: unknown): number {
    const { id, data } = bagOf(answer)
    const found = Number(id ?? bagOf(data).id)
    return Number.isInteger(found) ? found : unshown()
  },
} as const

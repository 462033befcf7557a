import type { Values } from '../../../../../plugins/console/model/form/plain.js'
import type { Dice } from '../../../explorer/random.js'

type Block = Record<string, unknown>

export const text = (words: string, more: object = {}): Block => ({ type: 'text', text: words, ...more })
export const paragraph = (...children: readonly unknown[]): Block => ({ type: 'paragraph', children })
export const item = (...children: readonly unknown[]): Block => ({ type: 'list-item', children })
export const list = (format: string, ...children: readonly unknown[]): Block => ({ type: 'list', format, children })
export const link = (url: string, ...children: readonly unknown[]): Block => ({ type: 'link', url, children })

/** Random documents as the panel of Strapi stores them, and as other programs do, which have nodes and names of their own. */
export class Documents {
  readonly #dice: Dice

  constructor(dice: Dice) {
    this.#dice = dice
  }

  blocks(): unknown[] {
    return this.#some(6, () => this.#block())
  }

  /** Documents without what is not known here, in their shortest form. */
  plainBlocks(): unknown[] {
    return this.#some(6, () => {
      const children = [text(this.#words() || 'x')]
      return this.#dice.one<() => Block>([
        () => paragraph(...children),
        () => ({ type: 'heading', level: 1 + this.#dice.below(6), children }),
        () => ({ type: 'quote', children }),
        () => list(this.#dice.one(['ordered', 'unordered']), item(...children), item(text('y', { bold: true }))),
      ])()
    })
  }

  #some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.#dice.below(most + 1) }, make)
  }

  #words(): string {
    return this.#dice.one(['', 'a', 'two words', ' ä 東京 ', 'line\nbreak', '👩‍🚀', 'x'.repeat(30), 'end\n', '\ufffc'])
  }

  #block(): unknown {
    const own = this.#dice.chance(0.2) ? { align: 'end', data: { deep: [1] } } : {}
    return this.#dice.one<() => unknown>([
      () => ({ ...paragraph(...this.#inline()), ...own }),
      () => ({ type: 'heading', level: this.#dice.one([1, 2, 6, 7, '2', null]), ...own, children: this.#inline() }),
      () => ({ type: 'quote', children: this.#inline(), ...own }),
      () => ({ type: 'code', language: 'sql', children: [text('select 1\n')], ...own }),
      () => ({ type: 'image', image: { url: '/uploads/a.png', hash: 'a' }, children: [text('')], ...own }),
      () => this.#list(0),
      () => this.#dice.one<unknown>([null, 7, 'x', {}, [], { type: 'paragraph' }, { type: 'image', children: [] }]),
      () => ({ type: 'embed', url: 'https://example.com', children: [text('')] }),
    ])()
  }

  #list(depth: number): Values {
    const dice = this.#dice
    const child = () => {
      if (depth < 3 && dice.chance(0.3)) return this.#list(depth + 1)
      return dice.chance(0.05) ? { type: 'other' } : item(...this.#inline())
    }
    const format = dice.one(['ordered', 'unordered', 'ordered', 'unordered', 'checks'])
    return { ...list(format, ...this.#some(4, child)), ...(depth > 0 && { indentLevel: depth }) }
  }

  #inline(): unknown[] {
    const dice = this.#dice
    const one = (): Block => {
      const mark = dice.one(['bold', 'italic', 'underline', 'strikethrough', 'code', 'colour'])
      return text(this.#words(), dice.chance(0.5) ? { [mark]: mark === 'colour' ? 'red' : true } : {})
    }
    return this.#some(4, () => {
      if (dice.chance(0.2)) return link('https://example.com', ...this.#some(2, one))
      return dice.chance(0.1) ? dice.one<unknown>([{ type: 'mention', id: 1 }, null, 3, { text: 'x' }]) : one()
    })
  }
}

import { Marked, type MarkedToken } from 'marked'

const parser = new Marked({
  gfm: true,
  tokenizer: {
    // A footnote is no address of a link: it stays text.
    def: source => (/^ {0,3}\[\^/.test(source) ? undefined : false),
  },
})

/** The parts of a Markdown text: CommonMark, with tables, tasks, strikethrough and addresses of GitHub. */
export const tokensOf = (text: string): readonly MarkedToken[] => parser.lexer(text) as MarkedToken[]

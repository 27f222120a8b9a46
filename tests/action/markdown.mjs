// Reads Markdown and writes the HTML that GitHub shows for it, as far as its public rules go: node markdown.mjs <IN >OUT
import { text } from "node:stream/consumers";
import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

const toHtml = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize)
  .use(rehypeStringify);

process.stdout.write(String(await toHtml.process(await text(process.stdin))));

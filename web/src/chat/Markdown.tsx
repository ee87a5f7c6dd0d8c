/** A reply as text: Markdown without raw HTML, without images, and with anchors only to where they say. */
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";

const SCHEMA = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((tag) => !["img", "picture", "source", "input"].includes(tag)),
};

const COMPONENTS: Components = {
  a: ({ href, children }) => {
    const address = href ?? "";
    const own = address.startsWith("/") && !address.startsWith("//");
    if (!own && !address.startsWith("https://")) return <span>{children}</span>;
    return (
      <a href={address} title={address} {...(own ? {} : { target: "_blank", rel: "noopener noreferrer nofollow" })}>
        {children}
      </a>
    );
  },
  img: ({ alt }) => <span>{alt}</span>,
};

export default function Markdown({ text }: { text: string }) {
  return (
    <div className="prose-chat text-sm [overflow-wrap:anywhere]">
      <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[[rehypeSanitize, SCHEMA]]} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  );
}

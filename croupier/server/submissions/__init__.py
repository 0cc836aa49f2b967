"""Rules Submissions: `repository` stores drafts and decisions, `preview` evaluates a draft."""

import { lines } from "./lines-en.js";

/**
 * English, as much as a conversation shows at first; more-en.js has the rest. Together they give the keys, the
 * placeholders and the plural entries to all other tables. An entry is a text with `{placeholders}`, or one text for
 * each plural category of the number `{count}`. A new key goes into every table, at the same place.
 */
export const en = {
  ...lines,

  // General
  "add": "Add",
  "back": "Back",
  "close": "Close",
  "copied": "Copied",
  "details": "Details",
  "loading": "Loading…",
  "more": "More",
  "off": "Off",
  "on": "On",
  "retry": "Try again",
  "search": "Search",
  "copyFailed": "The text could not be copied.",

  // Connection
  "connection.connecting": "Connecting…",
  "connection.offline": "Offline. Messages are sent when you are back.",
  "connection.back": "You are connected again.",
  "connection.now": "Connect now",

  // List of conversations
  "list.by": "{name}: {text}",
  "list.own": "You: {text}",
  "kind.self": "Notes to myself",

  // Open channels, news
  "announcement": "Announcement",

  // Conversation
  "conversation.none": "Choose a conversation",
  "conversation.noneHint": "Or start a new one.",
  "conversation.empty": "No messages yet. Write the first one.",
  "conversation.messages": "Messages",
  "conversation.messagesWith": "Messages in {title}",
  "conversation.loadingOlder": "Loading older messages…",
  "conversation.details": "Details of {title}",
  "conversation.news": "Only the operator writes here.",
  "conversation.left": "You are no longer a member of this group.",
  "conversation.banned": "You are banned from this conversation.",
  "conversation.blocked": "You have blocked {name}.",
  "error.userDeleted": "This user was deleted.",
  "user.unblock": "Unblock {name}",
  "separator.unread": { one: "{count} new message", other: "{count} new messages" },
  "jump.newest": "Jump to the newest message",
  "jump.new": { one: "{count} new message", other: "{count} new messages" },
  "day.today": "Today",
  "day.yesterday": "Yesterday",
  "day.tomorrow": "Tomorrow",
  "day.at": "{day}, {time}",
  "typing.one": "{name} is typing…",
  "typing.two": "{first} and {second} are typing…",
  "typing.many": {
    one: "{first}, {second} and {count} other are typing…",
    other: "{first}, {second} and {count} others are typing…",
  },

  // Composer
  "composer.label": "Message",
  "composer.placeholder": "Write a message",
  "composer.placeholderTo": "Message to {name}",
  "composer.send": "Send",
  "composer.record": "Record a voice message",
  "composer.emoji": "Choose an emoji",
  "composer.more": "More to send",
  "composer.drop": "Drop files here to send them",
  "composer.tooLong": { one: "{count} character too many", other: "{count} characters too many" },

  // One message
  "message.actions": "Actions for this message",
  "message.reply": "Reply",
  "message.react": "React",
  "message.copy": "Copy text",
  "message.forward": "Forward",
  "message.recall": "Recall for everybody",
  "message.retry": "Send again",
  "message.discard": "Discard",
  "message.own": "You",
  "message.linkHost": "Leads to {host}",
  "message.showAll": "Show all",
  "message.blocked": "Message from someone you blocked.",
  "message.show": "Show",
  "message.unknown": "This message cannot be shown here.",
  "state.sending": "Sending…",
  "state.sent": "Sent",
  "state.failed": "Not sent",
  "state.failedWhy": "Not sent: {reason}",
  "state.readByAll": "Read by everybody",
  "state.read": "Read",
  "state.unreadBy": { one: "Unread by {count}", other: "Unread by {count}" },
  "reply.to": "Replying to {name}",
  "reply.cancel": "Cancel the reply",
  "reply.jump": "Go to the original message",
  "reply.unavailable": "The original message is not available",
  "reply.recalled": "The original message was recalled",
  "forwarded": "Forwarded",
  "reactions.label": "Reactions",
  "reactions.one": { one: "{emoji}, {count} person", other: "{emoji}, {count} people" },
  "reactions.own": { one: "{emoji}, only you", other: "{emoji}, {count} people with you" },
  "place.map": "Show on the map",
  "place.position": "{latitude}, {longitude}",

  // Votes
  "vote.cast": "Vote",
  "vote.closed": "Closed",
  "vote.close": "Close vote",

  // Scheduled messages
  "schedule.list": "Scheduled messages",
  "schedule.cancel": "Do not send",

  // For screen readers, and notifications of the browser
  "announce.message": "New message from {name}: {text}",
  "announce.messages": { one: "{count} new message", other: "{count} new messages" },
  "announce.notSent": "The message was not sent.",

  // Errors that a conversation shows at first; more-en.js has the others
  "error.unknown": "Something went wrong. Try again.",
  "error.connectionLost": "The connection was lost. Try again when you are online.",
  "error.closed": "There is no connection any more. Sign in again.",
  "error.uploadFailed": "The upload failed. Send the file again.",
  "error.blocked": "One of you has blocked the other. Writing is possible after unblocking.",
  "error.tooOld": "It has waited for too long. Send it again if it still matters.",
};

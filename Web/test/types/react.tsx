// What an app in React may write, and what it must not. dev/web compiles it; nothing runs it.

import { useRef } from "react";
import { RoostChat, RoostLauncher, RoostTextChat } from "@roost/web/react";
import type { RoostChatElement } from "@roost/web/roost-chat.js";
import type { RoostLauncherElement } from "@roost/web/roost-launcher.js";

export function Components() {
  const chat = useRef<RoostChatElement>(null);
  return <>
    <RoostChat ref={chat} server="https://chat.example.com" channel="support" theme="dark" className="chat" id="a"
      style={{ height: 480 }} token={async () => (await fetch("/chat-token")).text()} store={false}
      onMessage={({ detail }) => detail.message.text} onUnread={({ detail }) => detail.total}
      onOpen={({ detail }) => detail.channel} onReady={() => chat.current?.client?.user.userID} />
    <RoostLauncher greeting="Hello" label="Help" user="bob" token="token" onOpen={() => {}} data-test="x" />
    <RoostTextChat senderID="1234" alias="Ann" maxLength={100}
      onMessageReadyToSend={(event) => event.respondWith(true)} />
    {/* @ts-expect-error There is no such theme. */}
    <RoostChat theme="blue" />
    {/* @ts-expect-error The detail has no such field. */}
    <RoostChat onUnread={({ detail }) => detail.count} />
    {/* @ts-expect-error A launcher has no event for that. */}
    <RoostLauncher onReady={() => {}} />
    {/* @ts-expect-error A token is a text, or a function that gives one. */}
    <RoostChat token={12} />
  </>;
}

export function Elements() {
  const launcher = useRef<RoostLauncherElement>(null);
  return <>
    <roost-chat server="https://chat.example.com" channel="support" class="chat" key="a" slot="x" keys="page" />
    <roost-chat className="chat" mode="both" print="page" lang="zh-Hant" aria-label="Chat" data-test="x" />
    <roost-launcher ref={launcher} greeting="Hello" label="Help" style={{ color: "red" }} />
    <roost-text-chat sender-id="1234" max-length={100} alias="Ann" />
    <roost-text-chat senderId="1234" maxLength={100} />
    {/* @ts-expect-error There is no such mode. */}
    <roost-chat mode="one" />
    {/* @ts-expect-error There is no such attribute. */}
    <roost-launcher channels="lobby" />
    {/* @ts-expect-error Custom elements of others are not known. */}
    <roost-chart />
  </>;
}

import Foundation
import PackagePlugin

/// Has `roost-webgen` write the files of the page into a Swift file of the target, again whenever one of them changes.
@main struct EmbedWeb: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Web")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        let paths = try ["bundle", "src"].flatMap { part in
            try FileManager.default.subpathsOfDirectory(atPath: folder.appending(path: part).path).sorted()
                .map { "\(part)/\($0)" }
        }
        return [
            .buildCommand(
                displayName: "Embedding the page", executable: try context.tool(named: "roost-webgen").url,
                arguments: [folder.path, output.path], inputFiles: paths.map { folder.appending(path: $0) },
                outputFiles: [output])
        ]
    }
}

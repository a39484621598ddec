<?php
/**
 * The folder of the must-use plugins.
 *
 * @package PicketBridge
 */

/**
 * Writes and removes files of this plugin there. A folder that this plugin has made is removed with its last file.
 */
final class Picket_Bridge_Must_Use_Folder {

	const MADE = 'picket_bridge_made_folder';
	const OWN  = '/^(?:0-)?picket-bridge-.+\.php$/D';

	/**
	 * Writes a file, and makes the folder. Returns what failed, or an empty text.
	 *
	 * @param string $path    The path.
	 * @param string $content The content.
	 */
	public static function put( string $path, string $content ): string {
		if ( ! is_dir( WPMU_PLUGIN_DIR ) ) {
			update_option( self::MADE, 1, false );
			// phpcs:ignore WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions
			if ( ! @mkdir( WPMU_PLUGIN_DIR, 0755 ) ) {
				delete_option( self::MADE );
				return 'The folder wp-content/mu-plugins cannot be created.';
			}
		}
		return Picket_Bridge_File::replace( $path, Picket_Bridge_File::read( $path ), $content );
	}

	/**
	 * Removes a file, and what a process that was killed has left of it. Returns what failed, or an empty text.
	 *
	 * @param string $path   The path.
	 * @param bool   $is_own Whether the file is of this plugin.
	 */
	public static function remove( string $path, bool $is_own ): string {
		Picket_Bridge_File::sweep( $path );
		$failed = $is_own ? Picket_Bridge_File::delete( $path ) : '';
		if ( get_option( self::MADE ) ) {
			// It stays while this plugin, or somebody else, uses it.
			// phpcs:ignore WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions
			$is_removed = @rmdir( WPMU_PLUGIN_DIR );
			// phpcs:ignore WordPress.PHP.NoSilencedErrors.Discouraged
			if ( $is_removed || array() === preg_grep( self::OWN, (array) @scandir( WPMU_PLUGIN_DIR ) ) ) {
				delete_option( self::MADE );
			}
		}
		return $failed;
	}
}

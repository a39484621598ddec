<?php
/**
 * The installed plugins.
 *
 * @package PicketBridge
 */

/**
 * Lists the plugins of this site, which Picket compares with its feed of vulnerable plugins. A plugin that is not active is
 * listed too, because its files can be requested all the same.
 */
final class Picket_Bridge_Inventory {

	const CHARS_MAX   = 100;
	const VERSION_MAX = 50;
	const PLUGINS_MAX = 500;

	/**
	 * The rest of a message of at most 64 KiB is for checks and results.
	 */
	const BYTES_MAX = 40000;

	/**
	 * Returns the plugins as the message to Picket has them.
	 *
	 * @return array{plugins: array[], plugins_complete: bool}
	 */
	public static function read(): array {
		require_once ABSPATH . 'wp-admin/includes/plugin.php';
		$slugs   = self::slugs();
		$plugins = array();
		$bytes   = 0;
		foreach ( get_plugins() as $file => $header ) {
			$file   = (string) $file;
			$plugin = self::described( $slugs[ $file ] ?? self::slug_of( $file ), $header, is_plugin_active( $file ) );
			$bytes += strlen( (string) wp_json_encode( $plugin ) ) + 1;
			if ( $bytes > self::BYTES_MAX || count( $plugins ) >= self::PLUGINS_MAX ) {
				return array(
					'plugins'          => $plugins,
					'plugins_complete' => false,
				);
			}
			$plugins[] = $plugin;
		}
		return array(
			'plugins'          => $plugins,
			'plugins_complete' => true,
		);
	}

	/**
	 * Returns the main files of the plugins that have a slug, as the messages to Picket have it.
	 *
	 * @param string $slug In lower case.
	 * @return string[]
	 */
	public static function files_of( string $slug ): array {
		require_once ABSPATH . 'wp-admin/includes/plugin.php';
		$slugs = self::slugs();
		$files = array();
		foreach ( get_plugins() as $file => $header ) {
			$file = (string) $file;
			if ( strtolower( self::described( $slugs[ $file ] ?? self::slug_of( $file ), $header, false )['slug'] ) === $slug ) {
				$files[] = $file;
			}
		}
		return $files;
	}

	/**
	 * Returns a plugin as the message has it.
	 *
	 * @param string $slug      Its name on wordpress.org.
	 * @param array  $header    The header of its file.
	 * @param bool   $is_active Whether it is active.
	 */
	public static function described( string $slug, array $header, bool $is_active ): array {
		$slug = self::text( $slug, self::CHARS_MAX );
		return array(
			'slug'    => '' === $slug ? 'unknown' : $slug,
			'name'    => self::text( (string) ( $header['Name'] ?? '' ), self::CHARS_MAX ),
			'version' => self::text( (string) ( $header['Version'] ?? '' ), self::VERSION_MAX ),
			'active'  => $is_active,
		);
	}

	/**
	 * Returns what a plugin is called on wordpress.org if nothing else says so: its folder, or its file without one.
	 *
	 * @param string $file Relative to the folder of the plugins.
	 */
	public static function slug_of( string $file ): string {
		$folder = strtok( $file, '/' );
		return false === $folder || $folder === $file ? (string) preg_replace( '/\.php$/i', '', $file ) : $folder;
	}

	/**
	 * Returns the slugs that wordpress.org has named when WordPress last looked for updates, by file: `hello.php` is
	 * `hello-dolly`.
	 *
	 * @return string[]
	 */
	private static function slugs(): array {
		$updates = get_site_transient( 'update_plugins' );
		$slugs   = array();
		foreach ( array( 'response', 'no_update' ) as $list ) {
			$known = is_object( $updates ) && isset( $updates->$list ) && is_array( $updates->$list ) ? $updates->$list : array();
			foreach ( $known as $file => $plugin ) {
				$plugin = (array) $plugin;
				// Some commercial plugins name their file.
				if ( isset( $plugin['slug'] ) && is_string( $plugin['slug'] ) && 1 === preg_match( '/^[A-Za-z0-9._-]+$/', $plugin['slug'] ) ) {
					$slugs[ $file ] = $plugin['slug'];
				}
			}
		}
		return $slugs;
	}

	/**
	 * Returns text of a header without markup and control characters, and not too long.
	 *
	 * @param string $text      The text.
	 * @param int    $chars_max Its length.
	 */
	private static function text( string $text, int $chars_max ): string {
		$plain = trim( (string) preg_replace( '/[\p{C}\s]+/u', ' ', wp_strip_all_tags( wp_check_invalid_utf8( $text, true ) ) ) );
		// Without the multibyte extension, a character that was cut is left out.
		return trim( wp_check_invalid_utf8( substr( $plain, 0, $chars_max ), true ) );
	}
}

<?php
/**
 * The must-use plugin that undoes fixes before plugins and theme are loaded.
 *
 * @package PicketBridge
 */

/**
 * It is on the site as long as the site is connected. On a page view it looks at two variables and whether a file exists, and
 * does nothing else. Its name makes it the first must-use plugin, so that another one that is fatal comes later.
 */
final class Picket_Bridge_Undo_File {

	const NAME = '0-picket-bridge-undo.php';
	const MARK = 'Picket Bridge: undo without plugins and theme';

	/**
	 * Returns where the file is.
	 */
	private static function path(): string {
		return WPMU_PLUGIN_DIR . '/' . self::NAME;
	}

	/**
	 * Returns the content of the file. It does nothing if the plugin was deleted without being deactivated.
	 */
	private static function content(): string {
		$class = '/' . dirname( plugin_basename( PICKET_BRIDGE_FILE ) ) . '/includes/class-picket-bridge-before-plugins.php';
		return "<?php\n"
			. "/*\n"
			. 'Plugin Name: ' . self::MARK . "\n"
			. "Description: Written by the plugin Picket Bridge, which removes it when it is deactivated. An empty file\n"
			. "wp-content/picket-safe-mode, or PICKET_SAFE_MODE in wp-config.php, makes it undo all fixes.\n"
			. "*/\n"
			. "define( 'PICKET_BRIDGE_BEFORE_PLUGINS', true );\n"
			. "( static function () {\n"
			. "\t\$is_safe_mode = " . Picket_Bridge_Safe_Mode::CONDITION . ";\n"
			. "\t\$is_nudge     = 'POST' === ( \$_SERVER['REQUEST_METHOD'] ?? '' ) && '/picket-bridge/v1/nudge' === ( \$_GET['rest_route'] ?? '' );\n"
			. "\t\$class        = WP_PLUGIN_DIR . " . var_export( $class, true ) . ";\n" // phpcs:ignore WordPress.PHP.DevelopmentFunctions
			. "\tif ( ( \$is_safe_mode || \$is_nudge ) && is_file( \$class ) ) {\n"
			. "\t\trequire_once \$class;\n"
			. "\t\tPicket_Bridge_Before_Plugins::run( \$is_safe_mode, \$is_nudge );\n"
			. "\t}\n"
			. "} )();\n";
	}

	/**
	 * Writes the file, unless it is there. Returns what failed, or an empty text. The site works without it.
	 */
	public static function write(): string {
		$present = Picket_Bridge_File::read( self::path() );
		if ( self::content() === $present || 'cli' === PHP_SAPI ) {
			// A command line may have another user, whose files the web server cannot remove. It writes its own.
			return '';
		}
		if ( null !== $present && ! self::is_own() ) {
			return Picket_Bridge_File::shown( self::path() ) . ' exists and is not of Picket. It was left alone.';
		}
		return Picket_Bridge_Must_Use_Folder::put( self::path(), self::content() );
	}

	/**
	 * Returns whether there is a file of this plugin, and not of somebody else.
	 */
	private static function is_own(): bool {
		return false !== strpos( (string) Picket_Bridge_File::read( self::path() ), self::MARK );
	}

	/**
	 * Removes the file.
	 */
	public static function remove(): void {
		Picket_Bridge_Must_Use_Folder::remove( self::path(), self::is_own() );
	}

	/**
	 * Returns why Picket cannot undo fixes when plugins or theme are fatal; an empty text if a new request of the web server
	 * has loaded the file; nothing if that is not known.
	 *
	 * @return array{undo_obstacle?: string}
	 */
	public static function measure(): array {
		$problem = self::write();
		$view    = Picket_Bridge_Web_View::read();
		if ( '' === $problem && is_wp_error( $view ) ) {
			return array();
		}
		if ( '' === $problem && true !== ( $view['before_plugins'] ?? null ) ) {
			if ( self::content() !== Picket_Bridge_File::read( self::path() ) ) {
				// The next poll of the web server writes it.
				return array();
			}
			$problem = 'WordPress does not load ' . Picket_Bridge_File::shown( self::path() ) . '.';
		}
		return array( 'undo_obstacle' => Picket_Bridge_Jobs::line( $problem ) );
	}
}
